package io.idem.http.internal.webflux;

import io.idem.Admission;
import io.idem.IdempotencyException;
import io.idem.IdempotencyKey;
import io.idem.Operation;
import io.idem.RunningOperation;
import io.idem.StoreUnavailableException;
import io.idem.UnreadableRecordException;
import io.idem.http.Refusal;
import io.idem.http.RouteOptions;
import io.idem.http.Routes;
import io.idem.http.StoredResponse;
import io.idem.http.internal.admission.Answers;
import io.idem.http.internal.admission.ObservedRequest;
import io.idem.http.internal.admission.RequestAdmission;
import io.idem.http.internal.admission.RequestProtection;
import io.idem.http.internal.admission.RouteReports;
import java.util.function.Function;
import org.springframework.http.codec.ServerCodecConfigurer;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Runs the handling of a request once for its key. Thread-safe; does not block. */
final class Protection {

    private static final String APPLIED = Protection.class.getName();

    private final RouteReports reports;
    private final RequestAdmission requestAdmission;
    private final ReactiveRequestBodyReader bodies;
    private final ReactiveWaitingExecutor beginner;
    private final Answers answers;
    private final GuardedRun run;
    private final ServerCodecConfigurer codecs;

    Protection(
            RouteReports reports,
            RequestAdmission requestAdmission,
            ReactiveWaitingExecutor beginner,
            Answers answers,
            GuardedRun run,
            ServerCodecConfigurer codecs) {
        this.reports = reports;
        this.requestAdmission = requestAdmission;
        this.beginner = beginner;
        this.answers = answers;
        this.run = run;
        this.bodies = new ReactiveRequestBodyReader(codecs);
        this.codecs = codecs;
    }

    /** Returns whether another filter protects a request already. */
    static boolean handles(ServerWebExchange exchange) {
        return exchange.getAttributes().containsKey(APPLIED);
    }

    /** Handles a request to a protected route; {@code handling} receives the exchange that it must use. */
    Mono<Void> handle(
            ServerWebExchange exchange, Routes.Match route, Function<ServerWebExchange, Mono<Void>> handling) {
        RouteOptions options = route.options();
        exchange.getAttributes().put(APPLIED, true);
        ObservedRequest observed =
                reports.observe(exchange.getRequest().getMethod().name(), route.pattern());
        exchange.getAttributes().put(ObservedRequest.ATTRIBUTE, observed);
        reports.retention(options)
                .ifPresent(header -> exchange.getResponse().getHeaders().set(header.name(), header.value()));
        return IncomingReactiveRequest.of(exchange).flatMap(request -> {
            RequestProtection admission = requestAdmission.admit(request, options);
            if (admission instanceof RequestProtection.BodyNext next) {
                return handle(request, route, next, handling);
            }
            if (admission instanceof RequestProtection.Refused refused) {
                return refuse(refused.refusal(), request);
            }
            observed.ended(ObservedRequest.UNPROTECTED);
            return handling.apply(exchange);
        });
    }

    private Mono<Void> handle(
            IncomingReactiveRequest request,
            Routes.Match route,
            RequestProtection.BodyNext first,
            Function<ServerWebExchange, Mono<Void>> handling) {
        return bodies.read(request.exchange(), route.options().maxRequestBody())
                .flatMap(body -> body instanceof ReactiveRequestBody.Refused refused
                        ? refuse(refused.refusal(), request)
                        : handle(request, route, first, (ReactiveRequestBody.Read) body, handling));
    }

    private Mono<Void> handle(
            IncomingReactiveRequest request,
            Routes.Match route,
            RequestProtection.BodyNext first,
            ReactiveRequestBody.Read read,
            Function<ServerWebExchange, Mono<Void>> handling) {
        RouteOptions options = route.options();
        RequestProtection checked = requestAdmission.checked(request, route, first, read.body());
        if (checked instanceof RequestProtection.Refused refused) {
            return refuse(refused.refusal(), request);
        }
        IdempotencyKey key = ((RequestProtection.Keyed) checked).key();
        Operation operation = requestAdmission.operation(
                request,
                request.former(),
                options,
                key,
                read.body(),
                () -> ReactiveRequestPaths.within(request.exchange().getRequest()));
        return CancellationShield.by(
                operation.record(),
                clientGone -> begin(operation, options, clientGone, request)
                        .flatMap(begun -> begun instanceof Answered answered
                                ? ReactiveAnswerWriter.write(
                                        answered.answer(), request.exchange().getResponse())
                                : run.run(
                                        guarded(request, read, options, ((Granted) begun).operation()),
                                        clientGone,
                                        handling)));
    }

    private ReactiveExchange guarded(
            IncomingReactiveRequest request,
            ReactiveRequestBody.Read read,
            RouteOptions options,
            RunningOperation operation) {
        return new ReactiveExchange(request, read, operation, options, codecs, answers::reserves);
    }

    private Mono<Begun> begin(
            Operation operation, RouteOptions options, Mono<Void> clientGone, IncomingReactiveRequest request) {
        return beginner.begin(operation, options, clientGone)
                .map(beginning -> begun(beginning, options, request))
                .onErrorResume(StoreUnavailableException.class, silent -> notRun(silent, request))
                .onErrorResume(UnreadableRecordException.class, unreadable -> notRun(unreadable, request));
    }

    private Begun begun(Admission<ReactiveExchange> beginning, RouteOptions options, IncomingReactiveRequest request) {
        return beginning instanceof Admission.Granted<ReactiveExchange> granted
                ? new Granted(granted.operation())
                : new Answered(
                        answers.answer(((Admission.Answered<ReactiveExchange>) beginning).outcome(), options, request));
    }

    private Mono<Begun> notRun(IdempotencyException failure, IncomingReactiveRequest request) {
        return Mono.fromSupplier(() -> new Answered(answers.notRun(failure, request)));
    }

    private Mono<Void> refuse(Refusal refusal, IncomingReactiveRequest request) {
        return ReactiveAnswerWriter.write(
                answers.refuse(refusal, request), request.exchange().getResponse());
    }

    /** The result of asking the store for a request's key. */
    private sealed interface Begun permits Granted, Answered {}

    /** A request whose key was taken. */
    private record Granted(RunningOperation operation) implements Begun {}

    /** A request that is answered without being run. */
    private record Answered(StoredResponse answer) implements Begun {}
}
