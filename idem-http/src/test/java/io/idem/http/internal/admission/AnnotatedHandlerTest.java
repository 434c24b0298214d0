package io.idem.http.internal.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idem.Idempotent;
import io.idem.InboxTransaction;
import io.idem.http.IdempotentRoute;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.http.HttpMethod;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.util.pattern.PathPatternParser;

class AnnotatedHandlerTest {

    private static List<IdempotentRoute> routes(Class<?> controller) throws ReflectiveOperationException {
        return routes(controller, Set.of(RequestMethod.POST));
    }

    private static List<IdempotentRoute> routes(Class<?> controller, Set<RequestMethod> methods)
            throws ReflectiveOperationException {
        HandlerMethod handler = new HandlerMethod(
                controller.getDeclaredConstructor().newInstance(), controller.getDeclaredMethod("place"));
        return AnnotatedHandler.routes(
                new MappedHandler(
                        handler,
                        methods,
                        List.of(PathPatternParser.defaultInstance.parse("/orders")),
                        false,
                        Map.of(),
                        request -> ""),
                false);
    }

    @ParameterizedTest
    @ValueSource(classes = {Placing.class, PlacingByClass.class})
    void aMappingWithoutMethodsIsProtectedForAllThatAreNotSafe(Class<?> controller)
            throws ReflectiveOperationException {
        assertThat(routes(controller, Set.of()).get(0).methods())
                .containsExactlyInAnyOrder(HttpMethod.POST, HttpMethod.PUT, HttpMethod.PATCH, HttpMethod.DELETE);
    }

    @Test
    void aHandlerMayEndInATransaction() throws ReflectiveOperationException {
        assertThat(routes(Ending.class)).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(classes = {EndingInside.class, EndingInsideOfClass.class})
    void aTransactionAroundAHandlerThatEndsInOneIsRefused(Class<?> controller) {
        assertThatThrownBy(() -> routes(controller))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("place")
                .hasMessageContaining("remove @Transactional");
    }

    @ParameterizedTest
    @ValueSource(classes = {WithKey.class, WithLease.class, WithRejections.class})
    void attributesOfOtherMethodsAreRefused(Class<?> controller) {
        assertThatThrownBy(() -> routes(controller))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("place")
                .hasMessageContaining("about methods of other beans; remove it");
    }

    static class Placing {

        @Idempotent
        String place() {
            return "placed";
        }
    }

    @Idempotent
    static class PlacingByClass {

        String place() {
            return "placed";
        }
    }

    static class WithKey {

        @Idempotent(key = "args[0]")
        String place() {
            return "placed";
        }
    }

    @Idempotent(lease = "10s")
    static class WithLease {

        String place() {
            return "placed";
        }
    }

    static class WithRejections {

        @Idempotent(rejectOn = IllegalArgumentException.class)
        String place() {
            return "placed";
        }
    }

    static class Ending {

        @Idempotent(inbox = true, transaction = InboxTransaction.LAST_PHASE)
        String place() {
            return "placed";
        }
    }

    static class EndingInside {

        @Idempotent(inbox = true, transaction = InboxTransaction.LAST_PHASE)
        @Transactional
        String place() {
            return "placed";
        }
    }

    @Transactional
    static class EndingInsideOfClass {

        @Idempotent(inbox = true, transaction = InboxTransaction.LAST_PHASE)
        String place() {
            return "placed";
        }
    }
}
