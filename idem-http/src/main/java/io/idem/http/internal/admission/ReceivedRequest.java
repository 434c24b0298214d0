package io.idem.http.internal.admission;

import io.idem.http.IncomingRequest;
import java.util.List;
import org.springframework.http.server.PathContainer;

/** The view of a request with what only its admission asks for. For adapters. */
public interface ReceivedRequest extends IncomingRequest {

    /** Returns the view that is compared with retries: without the CSRF token in the query. */
    default ReceivedRequest comparable() {
        return this;
    }

    /** Returns this view with the path as earlier versions read it: behind the prefix that a proxy has cut off. */
    IncomingRequest former();

    /** Returns the paths within the application under which the request may find its handler. */
    List<PathContainer> pathsWithin();
}
