package io.idem.test;

import io.idem.RecordState;
import org.assertj.core.api.AbstractAssert;

/** What is asserted about a record and the work that it stands for. */
public final class RecordAssert extends AbstractAssert<RecordAssert, TestedRecord> {

    RecordAssert(TestedRecord record) {
        super(record, RecordAssert.class);
    }

    /** The work is done: duplicates are answered without running it. */
    public RecordAssert isCompleted() {
        return hasState(RecordState.COMPLETED);
    }

    /** The work failed for good. */
    public RecordAssert isRejected() {
        return hasState(RecordState.REJECTED);
    }

    /** The work failed and gave the key back: the next attempt runs it. */
    public RecordAssert isReleased() {
        return hasState(RecordState.FAILED);
    }

    /** State of a record whose owner holds the lease, or died with it. */
    public RecordAssert isInProgress() {
        return hasState(RecordState.PENDING);
    }

    /** Nobody asked for it, or its retention has ended. */
    public RecordAssert isAbsent() {
        return hasState(RecordState.ABSENT);
    }

    /** The work was begun once, whatever became of it. */
    public RecordAssert ranOnce() {
        return ranTimes(1);
    }

    /** The work was never begun. */
    public RecordAssert neverRan() {
        return ranTimes(0);
    }

    /** How often the work was begun, whatever became of it. */
    public RecordAssert ranTimes(int number) {
        if (actual.runs() != number) {
            failWithMessage(
                    "%nExpecting work of %s to have been begun %d times but it was %d times",
                    actual, number, actual.runs());
        }
        return this;
    }

    /** How often the right to work was granted since the record was made or reopened. */
    public RecordAssert hasAttempts(int number) {
        if (actual.attempts() != number) {
            failWithMessage("%nExpecting %s to have %d attempts but it has %d", actual, number, actual.attempts());
        }
        return this;
    }

    private RecordAssert hasState(RecordState expected) {
        if (actual.state() != expected) {
            failWithMessage("%nExpecting %s to be %s but it is %s", actual, expected, actual.state());
        }
        return this;
    }
}
