package io.idem.consumer.internal.call;

import io.idem.Outcome;
import io.idem.RunningOperation;
import io.idem.WorkResult;
import io.idem.consumer.internal.delivery.Delivery;
import io.idem.consumer.internal.delivery.DeliveryDecision;
import io.idem.consumer.internal.delivery.OpenWork;
import io.idem.consumer.internal.delivery.OwnSettlement;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Call of a listener method that settles its messages itself: work that it has not acknowledged when it returns is not
 * done.
 */
record ManualCall(OwnSettlement own, CallAnswers answers) {

    @Nullable Object call(RunningOperation running) throws Throwable {
        answers.work().endLater();
        try {
            return answered(running);
        } finally {
            if (!(answers.delivery().decision().orElse(null) instanceof DeliveryDecision.LeftOpen)) {
                answers.work().end();
            }
        }
    }

    private @Nullable Object answered(RunningOperation running) throws Throwable {
        Delivery delivery = answers.delivery();
        Outcome<Optional<Object>> outcome;
        try {
            WorkResult<Optional<Object>> result = running.call(answers.work());
            if (result instanceof WorkResult.Complete<Optional<Object>> complete) {
                OpenWork open = new OpenWork(delivery, new Open(running, complete));
                if (own.leaveOpen(open)) {
                    open.limit(answers.runtime().outages().longestHold());
                    delivery.decide(new DeliveryDecision.LeftOpen());
                    return complete.value().orElse(null);
                }
                if (delivery.handedBack()) {
                    result = new WorkResult.Release<>(complete.value(), Duration.ZERO);
                }
            }
            outcome = running.settle(result);
        } catch (Throwable failure) {
            outcome = answers.runtime().executor().fail(running, failure);
        }
        return answers.answer(answers.recorded(outcome));
    }

    /** End of the call's work; called by one thread at a time. */
    private final class Open implements OpenWork.Ends {

        private final RunningOperation running;
        private final WorkResult.Complete<Optional<Object>> result;
        private Outcome.@Nullable Unrecorded<Optional<Object>> unrecorded;

        Open(RunningOperation running, WorkResult.Complete<Optional<Object>> result) {
            this.running = running;
            this.result = result;
        }

        @Override
        public void complete() {
            Outcome<Optional<Object>> outcome = unrecorded == null
                    ? running.settle(result)
                    : unrecorded.again().get();
            if (answers.recorded(outcome) instanceof Outcome.Unrecorded<Optional<Object>> open) {
                unrecorded = open;
                throw new IllegalStateException(answers.delivery()
                        + " is not acknowledged, because its work could not be recorded as done (" + open.why()
                        + "); acknowledge it again");
            }
            answers.work().end();
        }

        @Override
        public void release() {
            answers.work().end();
            var unused = running.settle(new WorkResult.Release<>(result.value(), Duration.ZERO));
        }

        @Override
        public void leave() {
            answers.work().end();
            running.leave();
        }
    }
}
