"""Commands for the networks in editor/engine/assets/.

They make the networks from published files, and compare the two.
"""
