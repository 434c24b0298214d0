package io.idem.http.internal.webflux;

import io.idem.Admission;
import io.idem.IdempotencyException;
import io.idem.Operation;
import io.idem.RunningOperation;
import io.idem.StoreUnavailableException;
import io.idem.UnreadableRecordException;
import io.idem.http.RouteOptions;
import io.idem.http.Routes;
import io.idem.http.StoredResponse;
import io.idem.http.internal.admission.Answers;
import io.idem.http.internal.admission.ExchangeSettler;
import io.idem.http.internal.admission.FilterParts;
import io.idem.http.internal.admission.HandlerRun;
import io.idem.http.internal.admission.ObservedRequest;
import io.idem.http.internal.admission.RequestAdmission;
import io.idem.http.internal.admission.RequestProtection;
import io.idem.http.internal.admission.RequestRefusedException;
import io.idem.http.internal.admission.RouteReports;
import java.util.Optional;
import java.util.function.Function;
import org.springframework.http.codec.ServerCodecConfigurer;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Runs the handling of a request once for its key. Thread-safe; does not block. */
final class Protection {

    private final RouteReports reports;
    private final RequestAdmission requestAdmission;
    private final ReactiveRequestBodyReader bodies;
    private final ReactiveWaitingExecutor beginner;
    private final Answers answers;
    private final GuardedRun run;
    private final ServerCodecConfigurer codecs;

    Protection(WebFilterParts parts) {
        FilterParts common = parts.common();
        this.reports = common.reports();
        this.requestAdmission = new RequestAdmission(common);
        this.beginner = new ReactiveWaitingExecutor(parts.executor(), common.waitingRoom());
        this.answers = common.answers();
        this.run = new GuardedRun(
                new ReactiveExchangeSettler(common.headers(), ExchangeSettler.by(parts.executor(), answers)),
                new ErrorAnswers(parts.errors()),
                answers);
        this.codecs = parts.codecs();
        this.bodies = new ReactiveRequestBodyReader(codecs);
    }

    /** Handles a request to a protected route; {@code handling} receives the exchange that it must use. */
    Mono<Void> handle(
            ServerWebExchange exchange, Routes.Match route, Function<ServerWebExchange, Mono<Void>> handling) {
        exchange.getAttributes()
                .put(
                        ObservedRequest.ATTRIBUTE,
                        reports.observe(exchange.getRequest().getMethod().name(), route.pattern()));
        reports.retention(route.options())
                .ifPresent(header -> exchange.getResponse().getHeaders().set(header.name(), header.value()));
        return IncomingReactiveRequest.of(exchange)
                .flatMap(request -> Mono.defer(() -> admit(request, route, handling))
                        .onErrorResume(
                                RequestRefusedException.class,
                                refused -> write(answers.refuse(refused.refusal(), request), exchange)));
    }

    private Mono<Void> admit(
            IncomingReactiveRequest request, Routes.Match route, Function<ServerWebExchange, Mono<Void>> handling) {
        Optional<RequestProtection> first = requestAdmission.admit(request, route.options());
        return first.isEmpty()
                ? handling.apply(request.exchange())
                : bodies.read(readable(request.exchange()), route.options().maxRequestBody())
                        .flatMap(read -> handle(
                                request,
                                read,
                                requestAdmission.operation(request, route, first.get(), read.body()),
                                route.options(),
                                handling));
    }

    /** Returns an exchange whose body can be read: that of the earlier handling, if a filter in front asks for another one. */
    private static ServerWebExchange readable(ServerWebExchange exchange) {
        return ReactiveExchange.of(exchange)
                .<ServerWebExchange>map(earlier -> earlier)
                .orElse(exchange);
    }

    private Mono<Void> handle(
            IncomingReactiveRequest request,
            ReactiveRequestBody read,
            Operation operation,
            RouteOptions options,
            Function<ServerWebExchange, Mono<Void>> handling) {
        return CancellationShield.by(
                operation.record(),
                clientGone -> beginner.begin(operation, options, clientGone)
                        .map(beginning -> beginning instanceof Admission.Granted<HandlerRun> granted
                                ? run(
                                        granted.operation(),
                                        begun -> new ReactiveExchange(
                                                request, read, begun, options, codecs, answers::reserves),
                                        clientGone,
                                        handling)
                                : write(
                                        answers.answer(
                                                ((Admission.Answered<HandlerRun>) beginning).outcome(),
                                                options,
                                                request),
                                        request.exchange()))
                        .onErrorResume(
                                Protection::notRun,
                                failure -> Mono.just(write(
                                        answers.notRun((IdempotencyException) failure, request), request.exchange())))
                        .flatMap(next -> next));
    }

    /** Runs a granted request; gives its key back, on a thread for blocking calls, if its exchange cannot be made. */
    private Mono<Void> run(
            RunningOperation operation,
            Function<RunningOperation, ReactiveExchange> made,
            Mono<Void> clientGone,
            Function<ServerWebExchange, Mono<Void>> handling) {
        try {
            return run.run(made.apply(operation), clientGone, handling);
        } catch (Throwable failure) {
            return Mono.fromRunnable(operation::abandon)
                    .subscribeOn(Schedulers.boundedElastic())
                    .then(Mono.error(failure));
        }
    }

    private static boolean notRun(Throwable failure) {
        return failure instanceof StoreUnavailableException || failure instanceof UnreadableRecordException;
    }

    private static Mono<Void> write(StoredResponse answer, ServerWebExchange exchange) {
        return ReactiveAnswerWriter.write(answer, exchange.getResponse());
    }
}
