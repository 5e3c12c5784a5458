/* What one writes without a generator: natives over JNI. */

#include <jni.h>

#include "../by_hand.h"

enum { SMALL = 512 };
static jmethodID call_method;

static void failed(JNIEnv *env, Failure *failure)
{
    upcall_failure_release(failure);
    (*env)->ThrowNew(env, (*env)->FindClass(env, "java/lang/IllegalArgumentException"), "it failed");
}

JNIEXPORT jint JNICALL Java_ByJni_add(JNIEnv *env, jclass class, jint a, jint b)
{
    return add(a, b);
}

JNIEXPORT void JNICALL Java_ByJni_moved(JNIEnv *env, jclass class, jdoubleArray from, jdoubleArray to)
{
    Body body;
    (*env)->GetDoubleArrayRegion(env, from, 0, 6, (double *)&body);
    body = moved(body);
    (*env)->SetDoubleArrayRegion(env, to, 0, 6, (double *)&body);
}

JNIEXPORT jint JNICALL Java_ByJni_length(JNIEnv *env, jclass class, jbyteArray text)
{
    jbyte small[SMALL], *bytes = small;
    Failure *failure = NULL;
    jsize count = (*env)->GetArrayLength(env, text);
    if (count > SMALL) bytes = malloc(count);
    (*env)->GetByteArrayRegion(env, text, 0, count, bytes);
    jint result = length((Slice){bytes, count}, &failure);
    if (bytes != small) free(bytes);
    if (failure) failed(env, failure);
    return result;
}

JNIEXPORT jfloat JNICALL Java_ByJni_sum(JNIEnv *env, jclass class, jfloatArray values)
{
    jfloat small[SMALL], *numbers = small;
    jsize count = (*env)->GetArrayLength(env, values);
    if (count > SMALL) {
        numbers = (*env)->GetPrimitiveArrayCritical(env, values, NULL);
        jfloat result = sum((Slice){numbers, count});
        (*env)->ReleasePrimitiveArrayCritical(env, values, numbers, JNI_ABORT);
        return result;
    }
    (*env)->GetFloatArrayRegion(env, values, 0, count, numbers);
    return sum((Slice){numbers, count});
}

typedef struct { JNIEnv *env; jobject callback; } Call;

static int32_t called(void *context, int32_t value)
{
    Call *call = context;
    JNIEnv *env = call->env;
    if ((*env)->ExceptionCheck(env)) return 0;
    jvalue argument = {.i = value};
    return (*env)->CallIntMethodA(env, call->callback, call_method, &argument);
}

JNIEXPORT jint JNICALL Java_ByJni_apply(JNIEnv *env, jclass class, jint value, jobject callback)
{
    Call call = {env, callback};
    return apply(value, called, &call);
}

JNIEXPORT jint JNICALL Java_ByJni_repeat(JNIEnv *env, jclass class, jint times, jobject callback)
{
    Call call = {env, callback};
    return repeat(times, called, &call);
}

JNIEXPORT jint JNICALL Java_ByJni_checked(JNIEnv *env, jclass class, jint value)
{
    Failure *failure = NULL;
    jint result = checked(value, &failure);
    if (failure) failed(env, failure);
    return result;
}

JNIEXPORT void JNICALL Java_ByJni_prepare(JNIEnv *env, jclass class)
{
    jclass operator = (*env)->FindClass(env, "java/util/function/IntUnaryOperator");
    call_method = (*env)->GetMethodID(env, operator, "applyAsInt", "(I)I");
}
