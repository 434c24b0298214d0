package io.idem.internal.method;

import io.idem.InvalidKeyException;
import io.idem.internal.value.WellFormed;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/** Reads the key of a call. Thread-safe. */
sealed interface CallKey {

    /**
     * Reads the key.
     *
     * @throws InvalidKeyException if the call has none
     */
    String read(@Nullable Object[] arguments);

    /** Key by an expression over the arguments. */
    record ByExpression(KeyExpression expression) implements CallKey {

        @Override
        public String read(@Nullable Object[] arguments) {
            Object value = expression.evaluate(arguments);
            if (value == null) {
                throw new InvalidKeyException("Key " + expression + " is null; a call without a key is not run");
            }
            if (value instanceof Enum<?> constant) {
                return constant.name();
            }
            if (!WellFormed.isText(value) && !WellFormed.isIntegral(value)) {
                throw new InvalidKeyException("Key " + expression + " is of type "
                        + value.getClass().getName()
                        + "; choose a text, an integral number, a UUID, a date or an enum constant");
            }
            return value.toString();
        }

        @Override
        public String toString() {
            return expression.text();
        }
    }

    /** Key by the time for which the schedule of a method calls it. */
    record BySchedule(FireTimes times, InstantSource clock) implements CallKey {

        @Override
        public String read(@Nullable Object[] arguments) {
            return times.current(clock.instant())
                    .orElseThrow(() -> new InvalidKeyException("The schedule " + times
                            + " has no time until now, and so the call has no key; call the method by its schedule, or give"
                            + " @Idempotent a key"))
                    .toString();
        }

        @Override
        public String toString() {
            return "the times of " + times;
        }
    }
}
