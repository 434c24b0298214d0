package io.idem.consumer.suspending

import io.idem.Idempotent
import kotlinx.coroutines.Job

/** A function that a proxy cannot record, since it returns before its work is done. */
open class SuspendingService {

    @Idempotent(scope = "refused", key = "#id")
    open suspend fun pay(id: String) {
    }
}

/** The same by a coroutine that goes on by itself. */
open class LaunchingService {

    @Idempotent(scope = "refused", key = "#id")
    open fun start(id: String): Job = Job()
}
