package io.idem.cloudstream;

import io.idem.consumer.IdempotentListener;
import java.util.function.Consumer;
import java.util.function.Function;
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

    static class Plain {

        @Bean
        Consumer<String> pay(StreamApplication.Journal journal) {
            return body -> journal.call(MessageBuilder.withPayload(body).build());
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
