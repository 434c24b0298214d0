package io.idem.benchmarks;

/** A part could not be measured. Others that could not be either are attached as suppressed. */
public final class MeasurementException extends Exception {

    MeasurementException(String message, Throwable cause) {
        super(message, cause);
    }
}
