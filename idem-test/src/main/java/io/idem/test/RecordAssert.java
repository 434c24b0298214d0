package io.idem.test;

import io.idem.RecordState;
import org.assertj.core.api.AbstractAssert;

/** Assertions on a record and the work that it stands for. */
public final class RecordAssert extends AbstractAssert<RecordAssert, TestedRecord> {

    RecordAssert(TestedRecord record) {
        super(record, RecordAssert.class);
    }

    /** Asserts that the work is done: duplicates are answered without running it. */
    public RecordAssert isCompleted() {
        return hasState(RecordState.COMPLETED);
    }

    /** Asserts that the work failed for good. */
    public RecordAssert isRejected() {
        return hasState(RecordState.REJECTED);
    }

    /** Asserts that the work failed and released the key: the next attempt runs it. */
    public RecordAssert isReleased() {
        return hasState(RecordState.FAILED);
    }

    /** Asserts that an owner holds the lease, or died while it held it. */
    public RecordAssert isInProgress() {
        return hasState(RecordState.PENDING);
    }

    /** Asserts that the key was never acquired, or that its retention has ended. */
    public RecordAssert isAbsent() {
        return hasState(RecordState.ABSENT);
    }

    /** Asserts that the work was started once, whatever its outcome. */
    public RecordAssert ranOnce() {
        return ranTimes(1);
    }

    /** Asserts that the work was never started. */
    public RecordAssert neverRan() {
        return ranTimes(0);
    }

    /** Asserts the number of times that the work was started, whatever its outcome. */
    public RecordAssert ranTimes(int number) {
        if (actual.runs() != number) {
            failWithMessage(
                    "%nExpecting work of %s to have been begun %d times but it was %d times",
                    actual, number, actual.runs());
        }
        return this;
    }

    /** Asserts the number of grants since the record was created or reopened. */
    public RecordAssert hasAttempts(int number) {
        if (actual.attempts() != number) {
            failWithMessage("%nExpecting %s to have %d attempts but it has %d", actual, number, actual.attempts());
        }
        return this;
    }

    private RecordAssert hasState(RecordState expected) {
        if (actual.state() != expected) {
            failWithMessage(
                    "%nExpecting %s to be %s but it is %s. The scope has records of %s",
                    actual, expected, actual.state(), actual.keys());
        }
        return this;
    }
}
