"""Harmless words for the robustness test; none of them is in the training filler."""

WORDS = (
    "banana umbrella castle winter pencil ocean forest bicycle lemon pillow spoon violin meadow candle basket orange "
    "cloud kitten market bridge yesterday often gently purple silver holiday village button sugar lantern pepper island"
).split()
