package io.idem.internal.micrometer;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.RecordUpdate;
import io.idem.StoreAnswer;
import io.idem.spi.AsyncIdempotencyStore;
import io.idem.spi.Stages;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** Times each request of a batch by itself. */
record MeteredAsyncStore(AsyncIdempotencyStore store, MeteredStore meters) implements AsyncIdempotencyStore {

    @Override
    public List<CompletionStage<Claim>> acquire(List<AcquireRequest> requests) {
        long begin = meters.begin();
        List<CompletionStage<Claim>> answers = store.acquire(requests);
        answers.forEach(answer -> time("acquire", begin, answer));
        return answers;
    }

    @Override
    public List<CompletionStage<StoreAnswer>> settle(List<RecordUpdate> requests) {
        long begin = meters.begin();
        List<CompletionStage<StoreAnswer>> answers = store.settle(requests);
        for (int i = 0; i < answers.size(); i++) {
            time(operation(requests.get(i)), begin, answers.get(i));
        }
        return answers;
    }

    private void time(String operation, long begin, CompletionStage<?> answer) {
        Stages.whenComplete(answer, (given, failure) -> meters.answered(operation, begin, failure));
    }

    private static String operation(RecordUpdate request) {
        if (request instanceof RecordUpdate.Renew) {
            return "renew";
        }
        if (request instanceof RecordUpdate.Complete) {
            return "complete";
        }
        return request instanceof RecordUpdate.Fail ? "fail" : "reject";
    }
}
