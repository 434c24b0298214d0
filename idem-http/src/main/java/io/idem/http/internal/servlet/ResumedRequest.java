package io.idem.http.internal.servlet;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.util.HashMap;
import java.util.Map;
import org.slf4j.MDC;

/**
 * A request that runs in a dispatch of type ASYNC for the first time. Until it is closed, at the end of that dispatch, filters do not take
 * it for one that has run, and what its first dispatch put into the MDC is there again.
 */
final class ResumedRequest extends HttpServletRequestWrapper implements AutoCloseable {

    private final Map<String, String> missing;
    private volatile boolean over;

    /** @param logged the MDC of the first dispatch */
    ResumedRequest(HttpServletRequest request, Map<String, String> logged) {
        super(request);
        missing = new HashMap<>(logged);
        missing.keySet().removeIf(name -> MDC.get(name) != null);
        missing.forEach(MDC::put);
    }

    @Override
    public DispatcherType getDispatcherType() {
        DispatcherType type = super.getDispatcherType();
        return type == DispatcherType.ASYNC && !over ? DispatcherType.REQUEST : type;
    }

    @Override
    public void close() {
        missing.keySet().forEach(MDC::remove);
        over = true;
    }
}
