"""Commands that support only Heart Rush: lists, sheets and checks, a comparison of editions, and exact duels."""
