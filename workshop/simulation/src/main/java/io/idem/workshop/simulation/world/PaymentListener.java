package io.idem.workshop.simulation.world;

import io.idem.consumer.IdempotencyHeaders;
import io.idem.consumer.IdempotentListener;
import io.idem.workshop.simulation.check.Names;
import org.springframework.amqp.core.Message;

/** The application's listener bean. */
class PaymentListener implements Payments {

    private final PaymentWork work;

    PaymentListener(PaymentWork work) {
        this.work = work;
    }

    @Override
    @IdempotentListener(scope = "${scope}")
    public String pay(Message message) {
        return work.pay(key(message));
    }

    static String key(Message message) {
        return String.valueOf(message.getMessageProperties().getHeaders().get(IdempotencyHeaders.KEY));
    }

    /** The listener bean with an inbox. */
    static class Inboxed extends PaymentListener {

        Inboxed(PaymentWork work) {
            super(work);
        }

        @Override
        @IdempotentListener(scope = "${scope}", inbox = true)
        public String pay(Message message) {
            return super.pay(message);
        }
    }

    /** Resolves the placeholder of the scope. */
    static String resolved(String text, String scope) {
        return text.replace("${scope}", scope.isEmpty() ? Names.CONSUMER : scope);
    }
}
