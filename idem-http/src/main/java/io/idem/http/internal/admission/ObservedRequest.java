package io.idem.http.internal.admission;

import io.idem.MonotonicClock;
import io.idem.RecordId;
import io.idem.http.IncomingRequest;
import io.idem.http.StoredResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The observation of a request to a protected route, from its arrival to its outcome. Kept as a request attribute. Thread-safe. */
public final class ObservedRequest {

    /** The name of the request attribute. */
    public static final String ATTRIBUTE = ObservedRequest.class.getName();

    /** The outcome of a request that ran and whose answer is recorded. */
    public static final String EXECUTED = "executed";

    /** The outcome of a request that ran and whose key was released. */
    public static final String RELEASED = "released";

    /** The outcome of a request that ran without a key. */
    public static final String UNPROTECTED = "unprotected";

    private static final String REPLAYED = "replayed";

    private final RouteMetrics metrics;
    private final String method;
    private final String route;
    private final long start = MonotonicClock.SYSTEM.nanoTime();
    private final AtomicBoolean ended = new AtomicBoolean();
    private volatile @Nullable RecordId record;
    private volatile Consumer<StoredResponse> replay = stored -> {};
    private volatile String host = "";

    ObservedRequest(RouteMetrics metrics, String method, String route) {
        this.metrics = metrics;
        this.method = method;
        this.route = route;
    }

    /** Returns the observation of a request; empty if its route is not protected. */
    public static Optional<ObservedRequest> of(IncomingRequest request) {
        return request.attribute(ATTRIBUTE)
                .filter(ObservedRequest.class::isInstance)
                .map(ObservedRequest.class::cast);
    }

    /** Returns the request's record for logs, or only that it is a request if its key was not read. */
    public static Object named(IncomingRequest request) {
        return of(request).<Object>map(observed -> observed.record).orElse("a request without a key");
    }

    void admitted(RecordId asked, IncomingRequest request, TenantParts tenantParts) {
        record = asked;
        host = request.host();
        replay = stored -> tenantParts.replayed(asked, stored, request.host());
    }

    /** Returns the answer to this request as it is stored: with a digest of the host that the request asked. */
    public StoredResponse kept(StoredResponse answer) {
        return HostNames.kept(answer, host);
    }

    void replayed(StoredResponse stored) {
        replay.accept(stored);
        ended(REPLAYED);
    }

    /** Reports the outcome, unless one was reported before. */
    public void ended(String outcome) {
        if (ended.compareAndSet(false, true)) {
            metrics.answered(method, route, outcome, Duration.ofNanos(MonotonicClock.SYSTEM.nanoTime() - start));
        }
    }
}
