package io.idem.consumer.guard.elsewhere;

import io.idem.consumer.IdempotentListener;
import org.springframework.amqp.rabbit.annotation.RabbitHandler;
import org.springframework.amqp.rabbit.annotation.RabbitListener;

/** Parents of listeners in another package, with methods that only this package can override. */
public final class Inherited {

    private Inherited() {}

    /** With an idempotent method. */
    public abstract static class Listener {

        @RabbitListener(queues = "queue")
        @IdempotentListener(scope = "inherited")
        void on(String body) {}
    }

    /** With a handler method that is not idempotent. */
    public abstract static class Handler {

        @RabbitHandler
        void other(byte[] body) {}
    }
}
