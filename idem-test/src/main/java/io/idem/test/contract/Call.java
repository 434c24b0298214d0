package io.idem.test.contract;

import static io.idem.test.contract.StoreSection.RECEIPT;
import static io.idem.test.contract.StoreSection.RETENTION;

import io.idem.RecordUpdate;
import io.idem.StoredResult;
import io.idem.spi.ForcedEnd;
import java.time.Duration;

/** A call of the store about one grant: by its owner, by an operator, or by another owner who wants the record. */
interface Call {

    Call RENEW = grant -> grant.store().renew(grant.lease());
    Call COMPLETE = complete(RECEIPT);
    Call FAIL = fail(Duration.ZERO);
    Call FAIL_UNCOUNTED = grant -> grant.store().update(new RecordUpdate.Fail(grant.lease(), Duration.ZERO, false));
    Call REJECT = reject("no");
    Call REOPEN = grant -> grant.store().reopen(grant.lease().record(), grant.fence(), RETENTION);
    Call RELEASE = force(ForcedEnd.FAILED, RETENTION);
    Call FORCE_COMPLETION = force(ForcedEnd.COMPLETED, RETENTION);
    Call ERASE = grant -> grant.store().erase(grant.lease().record());

    /** Makes the call and returns the store's answer. */
    Object answer(Grant grant);

    static Call complete(StoredResult result) {
        return grant -> grant.store().complete(grant.lease(), result);
    }

    static Call fail(Duration delay) {
        return grant -> grant.store().fail(grant.lease(), delay);
    }

    static Call reject(String reason) {
        return grant -> grant.store().reject(grant.lease(), reason);
    }

    static Call force(ForcedEnd end, Duration retention) {
        return grant -> grant.store().force(grant.lease().record(), grant.fence(), end, retention);
    }

    static Call ask(Request request) {
        return grant -> grant.store().acquire(request.build());
    }
}
