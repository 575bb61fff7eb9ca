"""Words to a plan: an instruction in English becomes steps, or says which of its words it cannot be."""
