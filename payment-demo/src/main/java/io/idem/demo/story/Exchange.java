package io.idem.demo.story;

/**
 * A request and its result, as its client saw it.
 *
 * @param kind payment or payout
 * @param tenant who asked
 * @param key under which it asked
 * @param amount what it asked for
 * @param at when it was sent, milliseconds since 1970
 * @param micros how long the reply took
 * @param status of the reply, or 0 without one
 * @param failure why there was no reply, or empty
 * @param replayed whether the reply said that it was a replay
 * @param contentType of the reply, or empty
 * @param location that the reply gave, or empty
 * @param body of the reply, one character for each byte, so that equal means equal byte for byte
 */
public record Exchange(
        Kind kind,
        String tenant,
        String key,
        long amount,
        long at,
        long micros,
        int status,
        String failure,
        boolean replayed,
        String contentType,
        String location,
        String body) {

    private static final int OK = 200;
    private static final int MULTIPLE_CHOICES = 300;

    /** Returns whether the client was told that its operation is accepted. */
    public boolean accepted() {
        return status >= OK && status < MULTIPLE_CHOICES;
    }

    /** Returns the parts of the reply that a replay must repeat. */
    public Answer answer() {
        return new Answer(status, contentType, location, body);
    }

    /** The parts of a reply that are replayed. */
    public record Answer(int status, String contentType, String location, String body) {}
}
