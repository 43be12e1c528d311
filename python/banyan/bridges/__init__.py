"""Bridges to other packages: banyan.bridges.pyspiel, poke_env and botbowl.  Each imports its package."""
