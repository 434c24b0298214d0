package io.idem.e2e.chaos.worker;

import io.idem.spi.AcquireRequest;
import io.idem.spi.Claim;
import io.idem.spi.ForwardingIdempotencyStore;
import io.idem.spi.IdempotencyStore;
import io.idem.spi.Lease;
import io.idem.spi.Settlement;
import io.idem.spi.StoredResult;
import java.time.Duration;
import java.util.Locale;

/** A known-wrong variant of the library in the workers, to show that the checkers see it. */
public enum Flaw {
    /** The library as it is. */
    NONE,
    /** A key in progress elsewhere is taken for done: its message is acknowledged. */
    BUSY_ACKNOWLEDGED,
    /** COMPLETE is never sent. */
    COMPLETE_FORGOTTEN;

    /** What it is called on the command line. */
    public String id() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    IdempotencyStore in(IdempotencyStore store) {
        return switch (this) {
            case NONE -> store;
            case BUSY_ACKNOWLEDGED -> takingBusyForDone(store);
            case COMPLETE_FORGOTTEN -> forgettingCompletions(store);
        };
    }

    private static IdempotencyStore takingBusyForDone(IdempotencyStore store) {
        return new ForwardingIdempotencyStore(store) {
            @Override
            public Claim acquire(AcquireRequest request) {
                Claim claim = super.acquire(request);
                return claim instanceof Claim.InProgress ? new Claim.Replay(StoredResult.NONE, 0) : claim;
            }
        };
    }

    private static IdempotencyStore forgettingCompletions(IdempotencyStore store) {
        return new ForwardingIdempotencyStore(store) {
            @Override
            public Settlement complete(Lease lease, StoredResult result) {
                return super.fail(lease, Duration.ZERO);
            }
        };
    }
}
