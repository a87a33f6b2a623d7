"""Engines run programs on the background knowledge: which examples does a program cover, and why?"""
