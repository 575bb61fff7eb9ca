"""Operations that change a photo's composition: its shape, its size, and the positions of its objects."""
