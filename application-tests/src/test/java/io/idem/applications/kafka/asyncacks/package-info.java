/** Acknowledgements in any order. */
@NullMarked
package io.idem.applications.kafka.asyncacks;

import org.jspecify.annotations.NullMarked;
