package io.idem.consumer.rabbit;

import static io.idem.consumer.contract.ConsumerApplication.PAYMENTS;
import static org.assertj.core.api.Assertions.assertThat;

import io.idem.IdempotencyContext;
import io.idem.consumer.IdempotentListener;
import io.idem.consumer.contract.EventLog;
import io.idem.consumer.contract.ListenerScript;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Test;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.core.annotation.AliasFor;

/** An application's own annotation that makes a method an idempotent RabbitMQ listener. */
class OwnRabbitAnnotationTest extends RabbitScenario {

    @Test
    void workRunsOnceForItsKey() {
        launch(Payments.class);

        send("k1", "one");
        send("k1", "one");

        awaitUntil(() -> log().count(EventLog.ACKNOWLEDGE) == 2);
        assertThat(script().calls()).singleElement().satisfies(call -> {
            assertThat(call.body()).isEqualTo("one");
            assertThat(call.context().scope().name()).isEqualTo(PAYMENTS);
        });
    }

    @RabbitListener
    @IdempotentListener(scope = "replaced", maxAttempts = "7")
    @Target(ElementType.METHOD)
    @Retention(RetentionPolicy.RUNTIME)
    @interface Participant {

        @AliasFor(annotation = RabbitListener.class, attribute = "queues")
        String[] queues();

        @AliasFor(annotation = IdempotentListener.class, attribute = "scope")
        String name();
    }

    static class Payments {

        private final ListenerScript script;

        Payments(ListenerScript script) {
            this.script = script;
        }

        @Participant(queues = "${test.name}.payments", name = PAYMENTS)
        void pay(String body, IdempotencyContext context) throws Exception {
            script.run(PAYMENTS, body, context);
        }
    }
}
