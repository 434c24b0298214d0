package io.idem.consumer.rabbit;

import static io.idem.consumer.contract.ConsumerApplication.PAYMENTS;
import static org.assertj.core.api.Assertions.assertThat;

import io.idem.IdempotencyContext;
import io.idem.consumer.IdempotentListener;
import io.idem.consumer.contract.EventLog;
import io.idem.consumer.contract.ListenerScript;
import org.junit.jupiter.api.Test;
import org.springframework.amqp.rabbit.annotation.Exchange;
import org.springframework.amqp.rabbit.annotation.Queue;
import org.springframework.amqp.rabbit.annotation.QueueBinding;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Two beans of one class, each with a queue and a scope of its own. */
class ScopePerRabbitListenerTest extends RabbitScenario {

    private static final String NEWS = "news";

    @Test
    void bothActOnAMessageAndEachKnowsItsOwnDuplicates() {
        launch(Two.class);

        for (int i = 0; i < 2; i++) {
            app().template().convertAndSend(app().name(), NEWS, "one", message -> {
                message.getMessageProperties().setHeader("x-idempotency-key", "k1");
                return message;
            });
        }

        awaitUntil(() -> log().count(EventLog.ACKNOWLEDGE) == 4);
        assertThat(script().bodies("north")).containsExactly("one");
        assertThat(script().bodies("south")).containsExactly("one");
        assertThat(script().bodies(PAYMENTS)).isEmpty();
    }

    @Configuration(proxyBeanMethods = false)
    static class Two {

        @Bean
        Reader north(ListenerScript script) {
            return new Reader("north", script);
        }

        @Bean
        Reader south(ListenerScript script) {
            return new Reader("south", script);
        }
    }

    static class Reader {

        private final String scope;
        private final ListenerScript script;

        Reader(String scope, ListenerScript script) {
            this.scope = scope;
            this.script = script;
        }

        public String getScope() {
            return scope;
        }

        /** Each bean gets a queue that the broker names. */
        @RabbitListener(
                bindings =
                        @QueueBinding(
                                value = @Queue,
                                exchange = @Exchange(name = "${test.name}", durable = "false", autoDelete = "true"),
                                key = NEWS))
        @IdempotentListener(scope = "#{__listener.scope}")
        void on(String body, IdempotencyContext context) throws Exception {
            script.run(scope, body, context);
        }
    }
}
