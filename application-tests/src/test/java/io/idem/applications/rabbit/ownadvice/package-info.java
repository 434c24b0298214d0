/** A factory with a retry advice of its own. */
@NullMarked
package io.idem.applications.rabbit.ownadvice;

import org.jspecify.annotations.NullMarked;
