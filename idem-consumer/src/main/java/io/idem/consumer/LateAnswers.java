package io.idem.consumer;

import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Hands over as a stage also the dead letters of before the method of a late listener had returned, where the container is at odds
 * with exceptions from such a listener. What may still succeed goes on as an exception: it is not acknowledged then.
 */
record LateAnswers(StageForm form, LateSettlement late, Delivery delivery) {

    /** Empty where an exception does what it does for every listener. */
    static Optional<LateAnswers> of(ListenerDefinition listener, Delivery delivery) {
        Optional<LateSettlement> late = delivery.late().filter(LateSettlement::deadLettersLate);
        return late.isEmpty()
                ? Optional.empty()
                : StageForm.of(listener.method()).map(form -> new LateAnswers(form, late.get(), delivery));
    }

    @Nullable Object of(ListenerCall call) throws Throwable {
        Object value;
        try {
            value = call.decide();
        } catch (Exception failure) {
            DeliveryVerdict.DeadLetter dead = delivery.rejection().orElseThrow(() -> failure);
            return handed(late.deadLetter(dead, failure));
        }
        return delivery.verdict().orElse(null) instanceof DeliveryVerdict.DeadLetter dead
                ? handed(late.deadLetter(dead, null))
                : value;
    }

    private Object handed(CompletionStage<@Nullable Object> end) {
        delivery.decide(new DeliveryVerdict.Handed());
        return form.of(end);
    }
}
