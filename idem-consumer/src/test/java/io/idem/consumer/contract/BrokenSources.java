package io.idem.consumer.contract;

import io.idem.consumer.IdempotencyHeaders;
import io.idem.spi.DeadLetterSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;

/** A source of dead letters in memory, and sources with one flaw each. */
final class BrokenSources {

    static final String LETTERS = "letters";
    static final String ORIGIN = "origin";

    private BrokenSources() {}

    /** A list of letters, and the list of messages at their origin. */
    static class Sound implements DeadLetterSource {

        final List<ReceivedMessage> letters = new ArrayList<>();
        final List<ReceivedMessage> moved = new ArrayList<>();

        @Override
        public String transport() {
            return "memory";
        }

        @Override
        public synchronized Search moveBack(Sought sought, BooleanSupplier permission) {
            if (!sought.from().equals(LETTERS)) {
                throw new IllegalArgumentException("There is no queue " + sought.from());
            }
            int examined = 0;
            for (ReceivedMessage letter : List.copyOf(letters)) {
                if (examined == limit(sought)) {
                    return new Search.Missing(examined, true);
                }
                examined++;
                if (isSought(letter, sought)) {
                    return found(letter, permission, examined);
                }
                passOver(letter);
            }
            return new Search.Missing(examined, false);
        }

        int limit(Sought sought) {
            return sought.limit();
        }

        boolean isSought(ReceivedMessage letter, Sought sought) {
            return has(letter, IdempotencyHeaders.KEY, sought.record().key().value())
                    && has(
                            letter,
                            IdempotencyHeaders.TENANT,
                            sought.record().key().tenant())
                    && has(
                            letter,
                            IdempotencyHeaders.SCOPE,
                            sought.record().scope().name())
                    && has(
                            letter,
                            IdempotencyHeaders.FINGERPRINT,
                            sought.fingerprint().toString());
        }

        private static boolean has(ReceivedMessage letter, String header, String value) {
            return letter.headers().getOrDefault(header, value).equals(value);
        }

        void passOver(ReceivedMessage letter) {}

        Search found(ReceivedMessage letter, BooleanSupplier permission, int examined) {
            String origin = Optional.ofNullable(letter.headers().get(IdempotencyHeaders.ORIGIN))
                    .orElseThrow(() -> new IllegalArgumentException("no " + IdempotencyHeaders.ORIGIN));
            if (!permission.getAsBoolean()) {
                return new Search.Kept(examined);
            }
            move(letter, origin);
            return new Search.Moved(examined, origin);
        }

        void move(ReceivedMessage letter, String origin) {
            publish(letter, origin);
            letters.remove(letter);
        }

        final void publish(ReceivedMessage letter, String origin) {
            if (!origin.equals(ORIGIN)) {
                throw new IllegalStateException("There is no queue " + origin);
            }
            moved.add(new ReceivedMessage(letter.body(), headers(letter)));
        }

        Map<String, String> headers(ReceivedMessage letter) {
            Map<String, String> headers = new TreeMap<>(letter.headers());
            headers.keySet()
                    .removeAll(List.of(IdempotencyHeaders.REASON, IdempotencyHeaders.ORIGIN, IdempotencyHeaders.SCOPE));
            return headers;
        }
    }

    /** Moves letters without a permission. */
    static final class AsksNobody extends Sound {

        @Override
        Search found(ReceivedMessage letter, BooleanSupplier permission, int examined) {
            return super.found(letter, () -> true, examined);
        }
    }

    /** Hides the failure of a permission in an exception of its own. */
    static final class WrapsFailures extends Sound {

        @Override
        Search found(ReceivedMessage letter, BooleanSupplier permission, int examined) {
            return super.found(letter, () -> asked(permission), examined);
        }

        private static boolean asked(BooleanSupplier permission) {
            try {
                return permission.getAsBoolean();
            } catch (RuntimeException failure) {
                throw new IllegalStateException("the letter could not be moved", failure);
            }
        }
    }

    /** Takes a letter away before its copy is confirmed. */
    static final class TakesAwayFirst extends Sound {

        @Override
        void move(ReceivedMessage letter, String origin) {
            letters.remove(letter);
            publish(letter, origin);
        }
    }

    /** Loses what it passes over. */
    static final class LosesOthers extends Sound {

        @Override
        void passOver(ReceivedMessage letter) {
            letters.remove(letter);
        }
    }

    /** Publishes a letter with the headers of its death. */
    static final class KeepsHeaders extends Sound {

        @Override
        Map<String, String> headers(ReceivedMessage letter) {
            return letter.headers();
        }
    }

    /** Looks at all letters. */
    static final class KnowsNoLimit extends Sound {

        @Override
        int limit(Sought sought) {
            return Integer.MAX_VALUE;
        }
    }

    /** Looks at the key alone. */
    static final class ComparesKeysAlone extends Sound {

        @Override
        boolean isSought(ReceivedMessage letter, Sought sought) {
            return sought.record().key().value().equals(letter.headers().get(IdempotencyHeaders.KEY));
        }
    }

    /** Says that the letter is missing when the broker is. */
    static final class FindsNothing implements DeadLetterSource {

        @Override
        public String transport() {
            return "memory";
        }

        @Override
        public Search moveBack(Sought sought, BooleanSupplier permission) {
            return new Search.Missing(0, false);
        }
    }

    /** A broker that does not answer. */
    static final class Unreachable implements DeadLetterSource {

        @Override
        public String transport() {
            return "memory";
        }

        @Override
        public Search moveBack(Sought sought, BooleanSupplier permission) {
            throw new IllegalStateException("away");
        }
    }
}
