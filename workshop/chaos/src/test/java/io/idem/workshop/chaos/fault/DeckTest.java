package io.idem.workshop.chaos.fault;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests that every card is dealt once before any is repeated. */
class DeckTest {

    private static final List<Integer> CARDS = IntStream.range(0, 36).boxed().toList();

    @Test
    void everyCardIsDealtOnceBeforeAnyComesAgain() {
        assertThat(dealt(0)).containsExactlyInAnyOrderElementsOf(CARDS);
        assertThat(dealt(36)).containsExactlyInAnyOrderElementsOf(CARDS).isNotEqualTo(dealt(0));
    }

    @Test
    void aSeedDealsTheSameCardsAgain() {
        assertThat(dealt(0)).isEqualTo(dealt(0)).isNotEqualTo(CARDS);
    }

    private static List<Integer> dealt(int from) {
        return IntStream.range(from, from + CARDS.size())
                .map(number -> Deck.card(CARDS, 7, number))
                .boxed()
                .toList();
    }
}
