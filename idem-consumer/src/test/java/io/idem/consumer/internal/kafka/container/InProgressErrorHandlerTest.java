package io.idem.consumer.internal.kafka.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.verifyNoInteractions;
import static org.mockito.Mockito.when;

import io.idem.Scope;
import io.idem.consumer.ConsumerEvents;
import io.idem.consumer.internal.delivery.Delivery;
import io.idem.consumer.internal.delivery.DeliveryDecision;
import io.idem.consumer.internal.delivery.ListenerStops;
import io.idem.consumer.internal.kafka.message.ContainerStop;
import io.idem.consumer.internal.kafka.message.KafkaDecisionSettler;
import io.idem.consumer.internal.kafka.message.KafkaDelivery;
import io.idem.consumer.internal.kafka.message.KeyInProgressException;
import io.idem.consumer.internal.kafka.message.PartitionPause;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.springframework.context.SmartLifecycle;
import org.springframework.kafka.listener.CommonErrorHandler;
import org.springframework.kafka.listener.DeliveryAttemptAware;
import org.springframework.kafka.listener.ListenerExecutionFailedException;
import org.springframework.kafka.listener.MessageListenerContainer;

class InProgressErrorHandlerTest {

    private final CommonErrorHandler own = mock(CommonErrorHandler.class);
    private final InProgressErrorHandler handler = new InProgressErrorHandler(
            own, new PartitionPause(mock(ScheduledExecutorService.class)), new AsyncFailures(), null, null);
    private final ConsumerRecord<String, String> record = new ConsumerRecord<>("events", 1, 7, "k", "one");

    private boolean handled(Exception thrown) {
        return handler.handleOne(thrown, record, mock(Consumer.class), mock(MessageListenerContainer.class));
    }

    private KeyInProgressException inProgress() {
        ListenerStops stops = new ListenerStops(() -> {});
        KafkaDecisionSettler settler = new KafkaDecisionSettler(
                "the listener",
                new ConsumerEvents(List.of()),
                (letter, why) -> {},
                Duration.ofSeconds(10),
                new ContainerStop(mock(SmartLifecycle.class), () -> stops),
                new HashMap<>());
        DeliveryDecision.Defer elsewhere = new DeliveryDecision.Defer(
                new Scope("payments"), Duration.ofMinutes(1), "another owner holds the lease");
        return settler.inProgress(record, new Delivery(new KafkaDelivery(record, () -> false)), elsewhere);
    }

    @Test
    void aRecordInProgressIsNoFailureThatTheContainersOwnHandlerCounts() {
        assertThat(handled(new ListenerExecutionFailedException("wrapped", inProgress())))
                .isFalse();

        verifyNoInteractions(own);
    }

    @Test
    void aFailureIsHandledByTheContainersOwnHandler() {
        when(own.handleOne(any(), any(), any(), any())).thenReturn(true);
        IllegalStateException failure = new IllegalStateException("no such account");

        assertThat(handled(failure)).isTrue();

        verify(own).handleOne(any(), any(), any(), any());
    }

    @Test
    void everyQuestionIsForwardedSoThatTheContainersOwnHandlerAnswersIt() {
        List<Method> questions = Arrays.stream(CommonErrorHandler.class.getMethods())
                .filter(method -> !Modifier.isStatic(method.getModifiers()))
                .toList();

        assertThat(questions).hasSizeGreaterThan(10);
        assertThat(questions)
                .allSatisfy(question -> assertThat(InProgressErrorHandler.class.getMethod(
                                question.getName(), question.getParameterTypes()))
                        .as(question.toString())
                        .matches(answer -> answer.getDeclaringClass() == InProgressErrorHandler.class));
        assertThat(DeliveryAttemptAware.class.isAssignableFrom(InProgressErrorHandler.class))
                .isTrue();
    }
}
