package io.idem.consumer.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.spi.DeadLetterSource;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** The contract of sources of dead letters fails for sources that are broken. */
class BrokenSourcesTest {

    @Test
    void aSoundSourcePasses() {
        assertThat(ContractFailures.of(Sound.class)).isEmpty();
    }

    @Test
    void aSourceThatAsksForNoPermissionIsCaught() {
        assertThat(ContractFailures.of(AsksNobody.class))
                .contains(
                        "aLetterIsKeptWithoutPermissionAndMovedByALaterCall()",
                        "aFailureOfThePermissionIsPassedOnAndTheLetterStays()");
    }

    @Test
    void aSourceThatWrapsAFailureIsCaught() {
        assertThat(ContractFailures.of(WrapsFailures.class))
                .containsExactly("aFailureOfThePermissionIsPassedOnAndTheLetterStays()");
    }

    @Test
    void aSourceThatTakesALetterAwayBeforeItsConfirmIsCaught() {
        assertThat(ContractFailures.of(TakesAwayFirst.class))
                .containsExactly("aLetterStaysWhenItsOriginTakesNoMessage()");
    }

    @Test
    void aSourceThatLosesOtherLettersIsCaught() {
        assertThat(ContractFailures.of(LosesOthers.class))
                .contains("lettersOfOthersStay()", "aSearchEndsAtItsLimitAndSaysThatThereAreMore()");
    }

    @Test
    void aSourceThatKeepsTheHeadersOfALetterIsCaught() {
        assertThat(ContractFailures.of(KeepsHeaders.class)).containsExactly("aLetterComesBackAsTheMessageThatItWas()");
    }

    @Test
    void aSourceWithoutALimitIsCaught() {
        assertThat(ContractFailures.of(KnowsNoLimit.class))
                .containsExactly("aSearchEndsAtItsLimitAndSaysThatThereAreMore()");
    }

    @Test
    void aSourceThatComparesKeysAloneIsCaught() {
        assertThat(ContractFailures.of(ComparesKeysAlone.class)).containsExactly("lettersOfOthersStay()");
    }

    @Test
    void aSourceThatTakesAnUnreachableBrokerForAnEmptyOneIsCaught() {
        assertThat(ContractFailures.of(FindsNothingAway.class))
                .containsExactly("anUnreachableBrokerIsAFailureAndNoMissingLetter()");
    }

    static final class Sound extends InMemory {
        Sound() {
            super(BrokenSources.Sound::new);
        }
    }

    static final class AsksNobody extends InMemory {
        AsksNobody() {
            super(BrokenSources.AsksNobody::new);
        }
    }

    static final class WrapsFailures extends InMemory {
        WrapsFailures() {
            super(BrokenSources.WrapsFailures::new);
        }
    }

    static final class TakesAwayFirst extends InMemory {
        TakesAwayFirst() {
            super(BrokenSources.TakesAwayFirst::new);
        }
    }

    static final class LosesOthers extends InMemory {
        LosesOthers() {
            super(BrokenSources.LosesOthers::new);
        }
    }

    static final class KeepsHeaders extends InMemory {
        KeepsHeaders() {
            super(BrokenSources.KeepsHeaders::new);
        }
    }

    static final class KnowsNoLimit extends InMemory {
        KnowsNoLimit() {
            super(BrokenSources.KnowsNoLimit::new);
        }
    }

    static final class ComparesKeysAlone extends InMemory {
        ComparesKeysAlone() {
            super(BrokenSources.ComparesKeysAlone::new);
        }
    }

    static final class FindsNothingAway extends InMemory {
        FindsNothingAway() {
            super(BrokenSources.Sound::new, new BrokenSources.FindsNothing());
        }
    }

    private abstract static class InMemory extends DeadLetterSourceContract {

        private final Supplier<BrokenSources.Sound> source;
        private final DeadLetterSource unreachable;

        InMemory(Supplier<BrokenSources.Sound> source) {
            this(source, new BrokenSources.Unreachable());
        }

        InMemory(Supplier<BrokenSources.Sound> source, DeadLetterSource unreachable) {
            this.source = source;
            this.unreachable = unreachable;
        }

        @Override
        protected DeadLetterHarness open() {
            return new Harness(source.get(), unreachable);
        }
    }

    private record Harness(BrokenSources.Sound source, DeadLetterSource unreachable) implements DeadLetterHarness {

        @Override
        public String letters() {
            return BrokenSources.LETTERS;
        }

        @Override
        public String origin() {
            return BrokenSources.ORIGIN;
        }

        @Override
        public String nowhere() {
            return "nowhere";
        }

        @Override
        public boolean takesAway() {
            return true;
        }

        @Override
        public void put(String body, Map<String, String> headers) {
            source.letters.add(new ReceivedMessage(body, headers));
        }

        @Override
        public List<ReceivedMessage> moved() {
            return List.copyOf(source.moved);
        }

        @Override
        public List<String> left(int expected) {
            return source.letters.stream().map(ReceivedMessage::body).toList();
        }

        @Override
        public void close() {}
    }
}
