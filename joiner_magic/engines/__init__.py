"""Engines answer two questions: which examples does this program cover, and why?"""
