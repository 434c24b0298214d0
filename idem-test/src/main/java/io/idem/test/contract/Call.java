package io.idem.test.contract;

import static io.idem.test.contract.StoreSection.RECEIPT;
import static io.idem.test.contract.StoreSection.RETENTION;

import io.idem.Lease;
import io.idem.RecordUpdate;
import io.idem.StoredResult;
import io.idem.spi.ForcedEnd;
import io.idem.spi.IdempotencyStore;
import java.time.Duration;

/** A call of the store about one grant: by its owner, by an operator, or by another owner who wants the record. */
interface Call {

    Call RENEW = IdempotencyStore::renew;
    Call COMPLETE = complete(RECEIPT);
    Call FAIL = fail(Duration.ZERO);
    Call FAIL_UNCOUNTED = (store, lease) -> store.update(new RecordUpdate.Fail(lease, Duration.ZERO, false));
    Call REJECT = reject("no");
    Call REOPEN = (store, lease) -> store.reopen(lease.record(), lease.fence(), RETENTION);
    Call RELEASE = force(ForcedEnd.FAILED);
    Call FORCE_COMPLETION = force(ForcedEnd.COMPLETED);
    Call ERASE = (store, lease) -> store.erase(lease.record());

    /** Makes the call and returns the store's answer. */
    Object answer(IdempotencyStore store, Lease lease);

    static Call complete(StoredResult result) {
        return (store, lease) -> store.complete(lease, result);
    }

    static Call fail(Duration delay) {
        return (store, lease) -> store.fail(lease, delay);
    }

    static Call reject(String reason) {
        return (store, lease) -> store.reject(lease, reason);
    }

    private static Call force(ForcedEnd end) {
        return (store, lease) -> store.force(lease.record(), lease.fence(), end, RETENTION);
    }

    static Call ask(Request request) {
        return (store, lease) -> store.acquire(request.build());
    }
}
