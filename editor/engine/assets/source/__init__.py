"""The props of `editor/engine/assets/props`, modelled and rendered by Blender's own Python."""
