"""What a solved duel says of those who play it: where they leak, how lucky they were, how far one can foresee them."""
