/** Helpers that several auto-configurations share. For the other packages of idem, not for applications. */
@NullMarked
package io.idem.internal.spring;

import org.jspecify.annotations.NullMarked;
