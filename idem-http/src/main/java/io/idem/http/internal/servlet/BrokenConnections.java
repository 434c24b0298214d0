package io.idem.http.internal.servlet;

import io.idem.http.internal.admission.ObservedRequest;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.TypeMismatchException;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.web.ErrorResponse;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.handler.HandlerExceptionResolverComposite;
import org.springframework.web.servlet.mvc.support.DefaultHandlerExceptionResolver;
import org.springframework.web.util.DisconnectedClientHelper;

/**
 * Answers 500 if a connection of the handler, for example to a database, broke. Spring assumes that the client went away, and leaves an
 * empty answer of status 200, which would be stored. While the answer is held back, the broken connection cannot be the client's, because
 * the request was read before and nothing was written. Thread-safe.
 */
final class BrokenConnections implements HandlerExceptionResolver {

    private static final Logger LOG = LoggerFactory.getLogger(BrokenConnections.class);

    /** Adds a resolver before Spring's own, behind those of the application; at the end if Spring's is missing. */
    static void addTo(HandlerExceptionResolverComposite composite) {
        List<HandlerExceptionResolver> resolvers = new ArrayList<>(composite.getExceptionResolvers());
        int place = IntStream.range(0, resolvers.size())
                .filter(index -> resolvers.get(index) instanceof DefaultHandlerExceptionResolver)
                .findFirst()
                .orElse(resolvers.size());
        resolvers.add(place, new BrokenConnections());
        composite.setExceptionResolvers(resolvers);
    }

    @Override
    public @Nullable ModelAndView resolveException(
            HttpServletRequest request, HttpServletResponse response, @Nullable Object handler, Exception failure) {
        boolean handlersOwn = DisconnectedClientHelper.isClientDisconnectedException(failure)
                && !hasAnswer(failure)
                && withheld(request)
                && !response.isCommitted();
        return handlersOwn ? serverError(request, response, failure) : null;
    }

    /** Returns whether Spring has an answer for the type of an exception, so that its cause does not matter. */
    private static boolean hasAnswer(Exception failure) {
        return failure instanceof ErrorResponse
                || failure instanceof TypeMismatchException
                || failure instanceof HttpMessageNotReadableException;
    }

    private static boolean withheld(ServletRequest request) {
        Optional<CapturedServletResponse> answer = ServletExchange.of(request)
                .map(ServletExchange::response)
                .or(() -> InboxedWork.of(request).map(InboxedWork::response));
        return answer.filter(CapturedServletResponse::withheld).isPresent();
    }

    /** Answers as Spring does for its own server errors. */
    private static ModelAndView serverError(
            HttpServletRequest request, HttpServletResponse response, Exception failure) {
        LOG.warn(
                "The handler of {} failed because one of its connections broke; the request is answered with 500",
                ObservedRequest.named(IncomingServletRequest.of(request)),
                failure);
        request.setAttribute(RequestDispatcher.ERROR_EXCEPTION, failure);
        try {
            response.sendError(HttpServletResponse.SC_INTERNAL_SERVER_ERROR);
        } catch (IOException unanswered) {
            throw new UncheckedIOException(unanswered);
        }
        return new ModelAndView();
    }
}
