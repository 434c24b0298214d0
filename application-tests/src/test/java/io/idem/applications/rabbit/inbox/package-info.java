/** Work in the transaction of the inbox. */
@NullMarked
package io.idem.applications.rabbit.inbox;

import org.jspecify.annotations.NullMarked;
