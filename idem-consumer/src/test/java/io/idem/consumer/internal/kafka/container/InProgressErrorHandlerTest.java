package io.idem.consumer.internal.kafka.container;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.kafka.listener.CommonErrorHandler;
import org.springframework.kafka.listener.DeliveryAttemptAware;

class InProgressErrorHandlerTest {

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
