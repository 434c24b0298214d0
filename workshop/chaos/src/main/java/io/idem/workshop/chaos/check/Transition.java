package io.idem.workshop.chaos.check;

import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A call as Redis executed it for one record.
 *
 * @param pid process id of the Redis
 * @param micros time by its clock, in microseconds since the epoch
 * @param step name of the call in capital letters
 * @param record key of the record in Redis
 * @param owner owner token of the call, in hexadecimal
 * @param fence fence that the call names; 0 for an acquire
 * @param answer answer, as the traces of the model name it
 * @param before record before the call
 * @param after record after the call
 */
record Transition(
        long pid,
        long micros,
        String step,
        String record,
        String owner,
        long fence,
        String answer,
        Stored before,
        Stored after) {

    private static final double MICROS_OF_A_MILLI = 1_000;
    private static final int WORDS = 9;
    private static final int RECORD = 3;

    /** Returns whether a line was written whole: a server may be killed while it writes one. */
    static boolean isWhole(String[] words) {
        return words.length == WORDS && words[WORDS - 1].split(":", -1).length == Stored.PARTS;
    }

    static String record(String[] words) {
        return words[RECORD];
    }

    /** Reads the words of a line of {@link Transitions}. */
    static Transition of(String[] words) {
        int next = 0;
        return new Transition(
                Long.parseLong(words[next++]),
                Long.parseLong(words[next++]),
                words[next++].toUpperCase(Locale.ROOT),
                words[next++],
                words[next++],
                Long.parseLong(words[next++]),
                answer(words[next++]),
                Stored.of(words[next++]),
                Stored.of(words[next]));
    }

    /** Returns the answer by the name that the model's traces give it. */
    private static String answer(String word) {
        return word.equals("SETTLED") ? "ALREADYSETTLED" : word.replace("_", "");
    }

    /** Returns whether another call of the same batch came before: then {@link #before()} is older than that call. */
    boolean isOfOneCallWith(Transition earlier) {
        return micros == earlier.micros && pid == earlier.pid;
    }

    /**
     * Returns the line that the trace checker of the model reads.
     *
     * @param found record that the call found, whose lease, or rest after a failure, may have ended
     */
    String text(Stored found) {
        boolean due = found.fence > 0 && found.at <= TimeUnit.MICROSECONDS.toMillis(micros);
        return line(step, owner, fence, answer, due, after);
    }

    /** Returns the line of a change that is no step of the model: from now on the record is another one. */
    String set(Stored record) {
        return line("FAULT", "-", 0, "-", false, record);
    }

    private String line(String what, String who, long named, String answered, boolean due, Stored left) {
        return String.format(
                Locale.ROOT,
                "%.3f %s %s %d %s %s %s %d %d",
                micros / MICROS_OF_A_MILLI,
                what,
                who,
                named,
                answered,
                due,
                left.state,
                left.fence,
                left.attempts);
    }

    /** The first fields of a record. */
    record Stored(String state, int attempts, long fence, long at) {

        private static final int PARTS = 4;

        /** States by the first byte of a record. */
        private static final Map<String, String> STATES = Map.of(
                "0", "ABSENT",
                "17", "PENDING",
                "18", "COMPLETED",
                "19", "FAILED",
                "20", "REJECTED");

        static Stored of(String text) {
            String[] parts = text.split(":", -1);
            return new Stored(
                    STATES.getOrDefault(parts[0], "UNREADABLE"),
                    Integer.parseInt(parts[1]),
                    Long.parseLong(parts[2]),
                    Long.parseLong(parts[3]));
        }
    }
}
