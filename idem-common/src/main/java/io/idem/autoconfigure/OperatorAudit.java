package io.idem.autoconfigure;

import io.idem.operations.OperatorAct;
import java.util.function.Consumer;

/** Receives the acts of operators where the application has an actuator. */
@FunctionalInterface
interface OperatorAudit extends Consumer<OperatorAct> {}
