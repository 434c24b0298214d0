package io.idem.http.contract;

import io.idem.IdempotencyContext;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.springframework.http.ResponseEntity;

/** Handles deliveries of events: the work of the handlers on both stacks. Runs are counted by the key of the record. */
public final class Deliveries {

    private final Runs runs;

    public Deliveries(Runs runs) {
        this.runs = runs;
    }

    /** Answers with the number of the run and a hash of the body; answers 422 or throws where the event says so. */
    public ResponseEntity<String> handle(IdempotencyContext context, byte[] body) {
        int run = runs.enter(context.key().value());
        String event = new String(body, StandardCharsets.UTF_8);
        if (event.contains("throws once") && run == 1) {
            throw new IllegalStateException("ordered by a test");
        }
        return ResponseEntity.status(event.contains("of unknown type") ? 422 : 202)
                .body("run " + run + ", hash " + Arrays.hashCode(body));
    }
}
