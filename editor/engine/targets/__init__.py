"""Find what a plan names, as soft masks over the photo.

A thing that cannot be found with enough certainty is refused. The modules use these terms:

- A *thing* is what the detector finds; it has a kind and a box. Its *outline* is a mask over a *view*, which
  is a part of the photo. A *cutout* is a mask of the subject with confidences.
- *Saliency* is how much each pixel stands out. The *prominent* part of a photo is its most salient part, on
  whose mask the saliency network and the decoder agree. The *subject* is what a plan calls so: the prominent
  part, the large people and animals, or what is in the boxes that mark it.
- *Text* is lines that were read. *Lettering* is the shapes of letters, which need not be readable.
- The *background* is everything but the subject, and a *backdrop* is a plain background. *Ground* is an area
  of one of the kinds that the analysis knows, such as sky, water, and plants.
- A *mask* has values from 0 to 1, a *0/1 mask* has the integers 0 and 1, and a *BoolMask* is true or false.
- A *drawn* box comes from the user. A box *marks* the thing that it is around.
"""
