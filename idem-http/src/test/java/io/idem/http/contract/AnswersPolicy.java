package io.idem.http.contract;

import io.idem.http.Header;
import io.idem.http.StoredResponse;
import io.idem.http.StoringPolicy;
import java.nio.charset.StandardCharsets;

/** Takes envelopes that tell a failure for no results. */
public final class AnswersPolicy implements StoringPolicy {

    /** The status of answers about which the policy fails. */
    static final int FAILING = 299;

    @Override
    public boolean stores(int status) {
        if (status == FAILING) {
            throw new IllegalStateException("ordered by a test");
        }
        return true;
    }

    @Override
    public boolean stores(StoredResponse answer) {
        return !new String(answer.body(), StandardCharsets.UTF_8).contains("by-policy")
                && !answer.headers().contains(new Header("X-Result", "failure"));
    }
}
