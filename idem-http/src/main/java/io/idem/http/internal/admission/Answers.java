package io.idem.http.internal.admission;

import io.idem.Outcome;
import io.idem.ResultCodecException;
import io.idem.StoredResult;
import io.idem.http.Header;
import io.idem.http.IncomingRequest;
import io.idem.http.Refusal;
import io.idem.http.StoredResponse;
import io.idem.http.StoredResponseCodec;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** The answers to requests that are not run, ready to be sent. For adapters. Thread-safe. */
public final class Answers {

    /** Tells that the first answer had a body which is not kept. */
    public static final String BODY_OMITTED = "Idempotency-Body-Omitted";

    /** Without the body they would be wrong. */
    private static final Set<String> OF_BODY = Set.of("content-type", "content-encoding", "content-range");

    private final RefusalRenderer refusals;
    private final ReplayMarker marker;

    /** Answers whose replays carry the marker. */
    public Answers(RefusalRenderer refusals, ReplayMarker marker) {
        this.refusals = refusals;
        this.marker = marker;
    }

    /** Whether a header of this name is told to clients by the filter alone, whatever a handler sets. */
    public boolean ours(String name) {
        return name.equalsIgnoreCase(marker.name()) || name.equalsIgnoreCase(BODY_OMITTED);
    }

    /** The answer that an outcome means. */
    public StoredResponse answer(Outcome.NotRun<?> outcome, IncomingRequest request) {
        return outcome instanceof Outcome.Replayed<?> replayed
                ? replay(replayed.result(), request)
                : refuse(NotRunRefusals.of(outcome), request);
    }

    /** The first answer again, marked; a refusal if none was kept, as after an operator's completion, or if it cannot be read. */
    public StoredResponse replay(StoredResult result, IncomingRequest request) {
        if (result.equals(StoredResult.OMITTED) || result.equals(StoredResult.NONE)) {
            return refuse(NotRunRefusals.NOT_KEPT, request);
        }
        try {
            StoredResponse replay = marked(StoredResponseCodec.decode(result));
            observed(request, ObservedRequest.REPLAYED);
            return replay;
        } catch (ResultCodecException unreadable) {
            return refuse(NotRunRefusals.unreadable(unreadable), request);
        }
    }

    /** A refusal. */
    public StoredResponse refuse(Refusal refusal, IncomingRequest request) {
        observed(request, refusal.problem().slug());
        return refusals.render(refusal, request);
    }

    private static void observed(IncomingRequest request, String outcome) {
        ObservedRequest.of(request).ifPresent(observed -> observed.ended(outcome));
    }

    private StoredResponse marked(StoredResponse stored) {
        List<Header> headers = new ArrayList<>();
        stored.headers().stream()
                .filter(header -> !ours(header.name()) && (!stored.bodyOmitted() || !ofBody(header)))
                .forEach(headers::add);
        headers.add(new Header(marker.name(), marker.value()));
        if (!stored.bodyOmitted()) {
            return StoredResponse.of(stored.status(), headers, stored.body());
        }
        headers.add(new Header(BODY_OMITTED, "true"));
        return StoredResponse.withoutBody(stored.status(), headers);
    }

    private static boolean ofBody(Header header) {
        return OF_BODY.contains(header.name().toLowerCase(Locale.ROOT));
    }
}
