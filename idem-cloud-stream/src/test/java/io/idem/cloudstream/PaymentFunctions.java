package io.idem.cloudstream;

import io.idem.consumer.IdempotentListener;
import java.util.function.Consumer;
import java.util.function.Function;
import org.springframework.cloud.stream.binder.AbstractMessageChannelBinder;
import org.springframework.cloud.stream.binder.Binder;
import org.springframework.cloud.stream.binder.BinderCustomizer;
import org.springframework.cloud.stream.function.StreamBridge;
import org.springframework.context.annotation.Bean;
import org.springframework.messaging.Message;
import org.springframework.messaging.support.MessageBuilder;

/** The functions of the tests' applications; each application binds one of them. */
final class PaymentFunctions {

    private PaymentFunctions() {}

    static class Consuming {

        @Bean
        @IdempotentListener(scope = StreamApplication.SCOPE, rejectOn = IllegalArgumentException.class)
        Consumer<Message<String>> pay(StreamApplication.Journal journal) {
            return journal::call;
        }
    }

    /** Replaces the binder's customizers, as an application with several binders does. */
    static class Customizing extends Consuming {

        @Bean
        BinderCustomizer customizer() {
            return (binder, name) -> replaceCustomizers(binder);
        }
    }

    /** Customizes the binder itself. */
    static class Customizer extends Consuming implements BinderCustomizer {

        @Override
        public void customize(Binder<?, ?, ?> binder, String name) {
            replaceCustomizers(binder);
        }
    }

    private static void replaceCustomizers(Binder<?, ?, ?> binder) {
        if (binder instanceof AbstractMessageChannelBinder<?, ?, ?> one) {
            one.setConsumerEndpointCustomizer((adapter, destination, group) -> {});
            one.setProducerMessageHandlerCustomizer((producer, destination) -> {});
        }
    }

    static class Plain {

        @Bean
        Consumer<String> pay(StreamApplication.Journal journal) {
            return body -> journal.call(MessageBuilder.withPayload(body).build());
        }
    }

    /** Sends a note through the bridge. */
    static class Noting {

        @Bean
        @IdempotentListener(scope = StreamApplication.SCOPE)
        Consumer<String> pay(StreamBridge bridge) {
            return body -> bridge.send("notes", "note of " + body);
        }
    }

    /** Returns a receipt, and sends a note through the bridge. */
    static class Answering {

        @Bean
        @IdempotentListener(scope = StreamApplication.SCOPE)
        Function<Message<String>, String> receipt(StreamApplication.Journal journal, StreamBridge bridge) {
            return message -> {
                journal.call(message);
                bridge.send("notes", "note of " + message.getPayload());
                return "receipt of " + message.getPayload();
            };
        }
    }
}
