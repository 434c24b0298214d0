package io.idem.benchmarks;

/** Thrown when a part could not be measured. Failures of further parts are suppressed exceptions of this one. */
public final class MeasurementException extends Exception {

    MeasurementException(String message, Throwable cause) {
        super(message, cause);
    }
}
