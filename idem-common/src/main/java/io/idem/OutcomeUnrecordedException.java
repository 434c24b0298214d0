package io.idem;

/**
 * Thrown by an {@link Idempotent} method that ran and took effect, when that could not be recorded: the store did not answer, the record was
 * lost, or a published message is not confirmed. The caller tries again later; until the effect is recorded another call may run it again.
 */
public final class OutcomeUnrecordedException extends IdempotencyException {

    public OutcomeUnrecordedException(RecordId record, Outcome.Obstacle why) {
        super(record + " took effect, but that could not be recorded: " + why);
    }
}
