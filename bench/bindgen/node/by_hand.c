/* What one writes without a generator: an addon over Node-API. */

#include <node_api.h>
#include <time.h>

#include "../by_hand.h"

static napi_value wrong(napi_env env, const char *message)
{
    napi_throw_type_error(env, NULL, message);
    return NULL;
}

static int number(napi_env env, napi_value value, int32_t *to)
{
    double given;
    if (napi_get_value_double(env, value, &given) != napi_ok) return -1;
    *to = (int32_t)given;
    return *to == given ? 0 : -1;
}

static napi_value failed(napi_env env, Failure *failure)
{
    napi_value message, error;
    napi_create_string_utf8(env, failure->message, failure->length, &message);
    upcall_failure_release(failure);
    napi_create_error(env, NULL, message, &error);
    napi_throw(env, error);
    return NULL;
}

static napi_value js_add(napi_env env, napi_callback_info info)
{
    size_t count = 2;
    napi_value given[2], result;
    int32_t a, b;
    napi_get_cb_info(env, info, &count, given, NULL, NULL);
    if (number(env, given[0], &a) || number(env, given[1], &b)) return wrong(env, "add takes two numbers");
    napi_create_int32(env, add(a, b), &result);
    return result;
}

/* The struct is six numbers in a Float64Array; so is where the result goes. */
static napi_value js_moved(napi_env env, napi_callback_info info)
{
    size_t count = 2, lengths[2];
    napi_value given[2];
    napi_typedarray_type types[2];
    void *data[2];
    napi_get_cb_info(env, info, &count, given, NULL, NULL);
    for (int i = 0; i < 2; i++) {
        if (napi_get_typedarray_info(env, given[i], &types[i], &lengths[i], &data[i], NULL, NULL) != napi_ok
            || types[i] != napi_float64_array || lengths[i] != 6)
            return wrong(env, "moved takes two Float64Arrays of six");
    }
    *(Body *)data[1] = moved(*(Body *)data[0]);
    return NULL;
}

static napi_value js_length(napi_env env, napi_callback_info info)
{
    size_t count = 1, size;
    napi_value given, result;
    char small[512], *text = small;
    Failure *failure = NULL;
    napi_get_cb_info(env, info, &count, &given, NULL, NULL);
    if (napi_get_value_string_utf8(env, given, small, sizeof small, &size) != napi_ok) return wrong(env, "length takes a string");
    if (size + 5 > sizeof small) {
        napi_get_value_string_utf8(env, given, NULL, 0, &size);
        text = malloc(size + 1);
        napi_get_value_string_utf8(env, given, text, size + 1, &size);
    }
    uint32_t counted = length((Slice){text, size}, &failure);
    if (text != small) free(text);
    if (failure) return failed(env, failure);
    napi_create_uint32(env, counted, &result);
    return result;
}

static napi_value js_sum(napi_env env, napi_callback_info info)
{
    size_t count = 1, size;
    napi_value given, result;
    napi_typedarray_type type;
    void *data;
    napi_get_cb_info(env, info, &count, &given, NULL, NULL);
    if (napi_get_typedarray_info(env, given, &type, &size, &data, NULL, NULL) != napi_ok || type != napi_float32_array)
        return wrong(env, "sum takes a Float32Array");
    napi_create_double(env, sum((Slice){data, size}), &result);
    return result;
}

typedef struct { napi_env env; napi_value function, this; int thrown; } Call;

static int32_t called(void *context, int32_t value)
{
    Call *call = context;
    napi_handle_scope scope;
    napi_value argument, result;
    int32_t answer = 0;
    if (call->thrown) return 0;
    napi_open_handle_scope(call->env, &scope);
    napi_create_int32(call->env, value, &argument);
    if (napi_call_function(call->env, call->this, call->function, 1, &argument, &result) != napi_ok) {
        call->thrown = 1;
    } else if (number(call->env, result, &answer)) {
        call->thrown = 1;
        wrong(call->env, "the callback returned no number");
    }
    napi_close_handle_scope(call->env, scope);
    return answer;
}

static napi_value calling(napi_env env, napi_callback_info info, int32_t (*native)(int32_t, int32_t (*)(void *, int32_t), void *))
{
    size_t count = 2;
    napi_value given[2], result;
    napi_valuetype type;
    int32_t value;
    napi_get_cb_info(env, info, &count, given, NULL, NULL);
    napi_typeof(env, given[1], &type);
    if (number(env, given[0], &value) || type != napi_function) return wrong(env, "takes a number and a function");
    Call call = {env, given[1], NULL, 0};
    napi_get_undefined(env, &call.this);
    int32_t answer = native(value, called, &call);
    if (call.thrown) return NULL;
    napi_create_int32(env, answer, &result);
    return result;
}

static napi_value js_apply(napi_env env, napi_callback_info info) { return calling(env, info, apply); }

static napi_value js_repeat(napi_env env, napi_callback_info info) { return calling(env, info, repeat); }

static napi_value js_checked(napi_env env, napi_callback_info info)
{
    size_t count = 1;
    napi_value given, result;
    int32_t value;
    Failure *failure = NULL;
    napi_get_cb_info(env, info, &count, &given, NULL, NULL);
    if (number(env, given, &value)) return wrong(env, "checked takes a number");
    uint32_t answer = checked(value, &failure);
    if (failure) return failed(env, failure);
    napi_create_uint32(env, answer, &result);
    return result;
}

/* CPU time of this thread, in nanoseconds, which Node itself does not tell. */
static napi_value js_now(napi_env env, napi_callback_info info)
{
    struct timespec time;
    napi_value result;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    napi_create_double(env, time.tv_sec * 1e9 + time.tv_nsec, &result);
    return result;
}

NAPI_MODULE_INIT()
{
    struct { const char *name; napi_callback function; } all[] = {
        {"add", js_add}, {"moved", js_moved}, {"length", js_length}, {"sum", js_sum},
        {"apply", js_apply}, {"repeat", js_repeat}, {"checked", js_checked}, {"now", js_now}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        napi_value function;
        napi_create_function(env, all[i].name, NAPI_AUTO_LENGTH, all[i].function, NULL, &function);
        napi_set_named_property(env, exports, all[i].name, function);
    }
    return exports;
}
